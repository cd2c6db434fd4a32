//! The scripts of `docs/pipelines.md`, as they stand there: the hooks in a git repository of their own, the steps of the
//! workflows with `gh` played by a script. Steps that need a network are left out.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed set-up fails the test"
)]

use serde_json::Value;
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A set; `spec` are lines of its pods' spec.
fn set(spec: &str) -> String {
    format!(
        "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {{name: vllm, namespace: team-a}}\nspec:\n  replicas: 2\n  leaderWorkerTemplate:\n    size: 2\n    workerTemplate:\n      spec:\n        containers: [{{name: serve, image: \"registry.example/serve:1\"}}]\n{spec}"
    )
}

/// A value for the policy's own key, which is refused.
const PINNED: &str = "        nodeSelector: {compact-placement-group: mine}\n";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The block of the page that names this file in its first two lines.
fn block(file: &str) -> String {
    let page = std::fs::read_to_string(root().join("docs/pipelines.md")).unwrap();
    let mut blocks = page.split("\n```");
    let found = blocks.find_map(|block| {
        let (_, text) = block.split_once('\n')?;
        let is_it = |line: &str| {
            line.strip_prefix("# ")
                .is_some_and(|line| line.starts_with(file))
        };
        text.lines().take(2).any(is_it).then(|| format!("{text}\n"))
    });
    found.unwrap_or_else(|| panic!("docs/pipelines.md has no {file}"))
}

fn yaml(file: &str) -> Value {
    let mut documents = lws_manifest::read(block(file));
    assert_eq!(documents.len(), 1, "{file}");
    documents.remove(0).unwrap().value
}

/// A git repository as the page describes it, with the program on its PATH.
struct Repository {
    folder: TempDir,
}

impl Repository {
    fn new() -> Self {
        let repository = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        std::fs::create_dir_all(repository.path()).unwrap();
        repository.done("git init --quiet --initial-branch main .");
        let module = std::env::var_os("LWS_PLACEMENT_POLICY")
            .map_or_else(|| root().join("annotated-policy.wasm"), PathBuf::from);
        let module = std::fs::read(module).expect("make annotated-policy.wasm builds the policy");
        repository.write("tools/annotated-policy.wasm", module);
        repository.write(".gitignore", "tools/\n");
        repository.write(".lws-placement.yaml", block(".lws-placement.yaml"));
        for name in ["pods.yaml", "leaderworkersets.yaml"] {
            let policy = std::fs::read(root().join("examples/install").join(name)).unwrap();
            repository.write(&format!("policies/{name}"), policy);
        }
        repository.write("manifests/vllm.yaml", set(""));
        repository.done("git add --all && git commit --quiet --message first");
        repository
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("repository")
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, contents).unwrap();
    }

    fn executable(&self, name: &str, contents: &str) {
        self.write(name, contents);
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(self.path().join(name), mode).unwrap();
    }

    /// Runs a script with a shell, in the repository, as pipelines do: the first failure ends it.
    fn shell(&self, script: &str, variables: &BTreeMap<String, String>) -> Output {
        let program = Path::new(env!("CARGO_BIN_EXE_lws-placement"));
        let mut path = vec![
            self.path().join("bin"),
            program.parent().unwrap().to_owned(),
        ];
        path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
        let mut command = Command::new("bash");
        command
            .args(["-e", "-c", script])
            .current_dir(self.path())
            .env("PATH", std::env::join_paths(path).unwrap())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .envs(variables);
        for role in ["AUTHOR", "COMMITTER"] {
            command
                .env(format!("GIT_{role}_NAME"), "somebody")
                .env(format!("GIT_{role}_EMAIL"), "somebody@example.test");
        }
        // A test that runs inside of a hook of this repository has these.
        for inherited in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_PREFIX"] {
            command.env_remove(inherited);
        }
        command.output().unwrap()
    }

    /// Runs what has to work, and gives what it prints.
    fn done(&self, script: &str) -> String {
        let output = self.shell(script, &BTreeMap::new());
        assert!(output.status.success(), "{script}\n{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Commits what is staged.
    fn commit(&self) -> Output {
        self.shell("git commit --message next", &BTreeMap::new())
    }
}

fn text(output: &Output) -> String {
    let bytes = [output.stdout.clone(), output.stderr.clone()].concat();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn the_git_hook_judges_what_is_staged() {
    let repository = Repository::new();
    repository.executable(".git/hooks/pre-commit", &block(".git/hooks/pre-commit"));
    repository.write("manifests/vllm.yaml", set(PINNED));
    repository.done("git add manifests");
    // That the file is right again does not help while the wrong one is staged.
    repository.write("manifests/vllm.yaml", set(""));
    let refused = repository.commit();
    assert!(!refused.status.success(), "{refused:?}");
    let told = text(&refused);
    assert!(told.contains("  --> manifests/vllm.yaml:11:49\n"), "{told}");
    assert!(told.contains("is \"mine\" for every replica"), "{told}");
    assert_eq!(repository.done("git log --oneline").lines().count(), 1);
    repository.write(
        "manifests/vllm.yaml",
        set("").replace("replicas: 2", "replicas: 3"),
    );
    repository.done("git add manifests");
    // Nor does it matter what lies there and is not staged.
    repository.write("manifests/vllm.yaml", set(PINNED));
    let accepted = repository.commit();
    assert!(accepted.status.success(), "{accepted:?}");
    assert_eq!(repository.done("git log --oneline").lines().count(), 2);
}

#[test]
fn the_hook_of_pre_commit_reviews_the_repository() {
    let configuration = yaml(".pre-commit-config.yaml");
    let hook = configuration.pointer("/repos/0/hooks/0").unwrap();
    let field = |name: &str| hook.get(name).cloned().unwrap();
    assert_eq!(field("language"), "system");
    assert_eq!(field("pass_filenames"), false);
    let entry = field("entry");
    let entry = entry.as_str().unwrap();
    let repository = Repository::new();
    repository.done(entry);
    repository.write("manifests/vllm.yaml", set(PINNED));
    let refused = repository.shell(entry, &BTreeMap::new());
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
}

/// Plays `gh`: writes down what it is asked, keeps the comment, and knows the ids in `ids`.
const GH: &str = r#"#!/bin/sh
echo "$@" >> "$RUNNER_TEMP/gh.log"
case "$*" in
  *--paginate*) cat "$RUNNER_TEMP/ids" ;;
  *--field*) for last in "$@"; do :; done; cp "${last#body=@}" "$RUNNER_TEMP/comment" ;;
esac
"#;

/// The run of a workflow: its steps without `uses` and `Build`, in their order.
struct Workflow {
    steps: Vec<Value>,
    variables: BTreeMap<String, String>,
}

impl Workflow {
    fn new(repository: &Repository, base: &str) -> Self {
        let workflow = yaml(".github/workflows/placement.yaml");
        let steps = workflow.pointer("/jobs/placement/steps");
        let steps = steps.and_then(Value::as_array).unwrap().clone();
        for step in &steps {
            let Some(uses) = step.get("uses").and_then(Value::as_str) else {
                continue;
            };
            let (_, commit) = uses.split_once('@').unwrap();
            assert!(
                commit.len() == 40 && commit.chars().all(|c| c.is_ascii_hexdigit()),
                "{uses}"
            );
        }
        let temporary = repository.folder.path().join("temporary");
        std::fs::create_dir_all(&temporary).unwrap();
        std::fs::write(temporary.join("ids"), "").unwrap();
        repository.executable("bin/gh", GH);
        let known = [
            ("RUNNER_TEMP", temporary.to_str().unwrap()),
            ("GITHUB_REPOSITORY", "example/fleet"),
            ("${{ github.event.pull_request.base.sha }}", base),
            ("${{ github.event.pull_request.number }}", "7"),
            ("${{ github.token }}", "none"),
        ];
        let known = known.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Self {
            steps,
            variables: known.into(),
        }
    }

    fn file(&self, name: &str) -> String {
        let folder = self.variables.get("RUNNER_TEMP").unwrap();
        std::fs::read_to_string(Path::new(folder).join(name)).unwrap_or_default()
    }

    fn run(&self, repository: &Repository, name: &str) -> Output {
        let step = self
            .steps
            .iter()
            .find(|step| step.get("name") == Some(&name.into()));
        let step = step.unwrap_or_else(|| panic!("there is no step {name}"));
        let mut variables: BTreeMap<String, String> = self.variables.clone();
        variables.retain(|name, _| !name.starts_with('$'));
        let environment = step.get("env").and_then(Value::as_object);
        for (name, value) in environment.into_iter().flatten() {
            let value = value.as_str().unwrap();
            let value = self.variables.get(value);
            let value = value.unwrap_or_else(|| panic!("{name} has an unknown expression"));
            variables.insert(name.clone(), value.clone());
        }
        repository.shell(step.get("run").and_then(Value::as_str).unwrap(), &variables)
    }
}

#[test]
fn the_workflow_comments_once_and_reviews() {
    let repository = Repository::new();
    let base = repository.done("git rev-parse HEAD");
    let workflow = Workflow::new(&repository, base.trim());
    let other_key = |name: &str| {
        let path = repository.path().join("policies").join(name);
        let text = std::fs::read_to_string(path).unwrap();
        repository.write(
            &format!("policies/{name}"),
            text.replace("compact-placement-group", "rack.example/group"),
        );
    };
    other_key("pods.yaml");
    other_key("leaderworkersets.yaml");
    repository.done("git commit --all --quiet --message 'another key'");
    let compared = workflow.run(&repository, "Compare");
    assert!(compared.status.success(), "{compared:?}");
    let comment = workflow.file("comment.md");
    assert!(
        comment.starts_with("<!-- lws-placement -->\n### Placed otherwise from the next update on\n\n**LeaderWorkerSet team-a/vllm** (2 replicas, `manifests/vllm.yaml:1`)\n"),
        "{comment}"
    );
    let told = workflow.run(&repository, "Comment");
    assert!(told.status.success(), "{told:?}");
    assert!(
        workflow
            .file("gh.log")
            .contains("api --method POST repos/example/fleet/issues/7/comments --field body=@"),
        "{}",
        workflow.file("gh.log")
    );
    assert_eq!(workflow.file("comment"), comment);
    // The next push finds the comment and writes it anew.
    std::fs::write(repository.folder.path().join("temporary/ids"), "42\n43\n").unwrap();
    let told = workflow.run(&repository, "Comment");
    assert!(told.status.success(), "{told:?}");
    assert!(
        workflow
            .file("gh.log")
            .contains("api --method PATCH repos/example/fleet/issues/comments/42 --field body=@"),
        "{}",
        workflow.file("gh.log")
    );
    let reviewed = workflow.run(&repository, "Review");
    assert!(reviewed.status.success(), "{reviewed:?}");
    repository.write(
        "manifests/vllm.yaml",
        set(PINNED).replace("compact-placement-group", "rack.example/group"),
    );
    let reviewed = workflow.run(&repository, "Review");
    assert_eq!(reviewed.status.code(), Some(1), "{reviewed:?}");
    let told = String::from_utf8(reviewed.stdout).unwrap();
    assert!(
        told.starts_with("::error file=manifests/vllm.yaml,line="),
        "{told}"
    );
}

/// A difference is no failure, but what cannot be compared is one.
#[test]
fn the_workflow_fails_where_nothing_can_be_compared() {
    let repository = Repository::new();
    let base = repository.done("git rev-parse HEAD");
    let workflow = Workflow::new(&repository, base.trim());
    repository.write("manifests/vllm.yaml", "kind: [");
    let compared = workflow.run(&repository, "Compare");
    assert!(!compared.status.success(), "{compared:?}");
}

#[test]
fn the_job_on_gitlab_compares_and_reviews() {
    let pipeline = yaml(".gitlab-ci.yml");
    let script = pipeline
        .pointer("/placement/script")
        .and_then(Value::as_array);
    let lines = script.unwrap().iter().map(|line| line.as_str().unwrap());
    let script = lines.collect::<Vec<_>>().join("\n");
    let repository = Repository::new();
    let base = repository.done("git rev-parse HEAD").trim().to_owned();
    let variables = BTreeMap::from([("CI_MERGE_REQUEST_DIFF_BASE_SHA".to_owned(), base)]);
    repository.write(
        "manifests/vllm.yaml",
        set("").replace("replicas: 2", "replicas: 3"),
    );
    let done = repository.shell(&script, &variables);
    let told = text(&done);
    assert!(done.status.success(), "{told}");
    assert!(told.contains("2 -> 3 replicas"), "{told}");
    assert!(
        told.contains("3 replicas, 3 node groups, 6 pods, 0 refused"),
        "{told}"
    );
    repository.done("git worktree remove ../base");
    repository.write("manifests/vllm.yaml", set(PINNED));
    let done = repository.shell(&script, &variables);
    assert_eq!(done.status.code(), Some(1), "{done:?}");
}
