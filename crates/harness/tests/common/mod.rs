//! What the tests share: small policies in WebAssembly's text form, and the program as a process.
#![allow(
    dead_code,
    missing_docs,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "each test file uses its part; a failed set-up fails the test"
)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A policy whose `__guest_call` is `body`; the request stands at 65536, the operation at 1024.
pub fn policy(body: &str) -> Vec<u8> {
    let text = format!(
        r#"(module
          (import "wapc" "__guest_request" (func $request (param i32 i32)))
          (import "wapc" "__guest_response" (func $response (param i32 i32)))
          (import "wapc" "__guest_error" (func $error (param i32 i32)))
          (import "wapc" "__host_call" (func $host_call (param i32 i32 i32 i32 i32 i32 i32 i32) (result i32)))
          (import "wapc" "__host_response_len" (func $host_response_len (result i32)))
          (import "wapc" "__host_response" (func $host_response (param i32)))
          (import "wapc" "__host_error_len" (func $host_error_len (result i32)))
          (import "wapc" "__host_error" (func $host_error (param i32)))
          (import "wapc" "__console_log" (func $console_log (param i32 i32)))
          (import "wasi_snapshot_preview1" "random_get" (func $random_get (param i32 i32) (result i32)))
          (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
          (import "wasi_snapshot_preview1" "environ_sizes_get" (func $environ_sizes_get (param i32 i32) (result i32)))
          (import "wasi_snapshot_preview1" "environ_get" (func $environ_get (param i32 i32) (result i32)))
          (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
          (memory (export "memory") 64)
          (data (i32.const 0) "{{\"valid\":true}}")
          (data (i32.const 64) "\"v1\"")
          (data (i32.const 128) "\"settings\":")
          (data (i32.const 256) "kubewardentracinglog")
          (data (i32.const 512) "\00\02\00\00\04\00\00\00 oh dear")
          (global $calls (mut i32) (i32.const 0))
          (func $same (param $left i32) (param $right i32) (param $length i32) (result i32)
            (loop $next
              (if (i32.eqz (local.get $length)) (then (return (i32.const 1))))
              (if (i32.ne (i32.load8_u (local.get $left)) (i32.load8_u (local.get $right)))
                (then (return (i32.const 0))))
              (local.set $left (i32.add (local.get $left) (i32.const 1)))
              (local.set $right (i32.add (local.get $right) (i32.const 1)))
              (local.set $length (i32.sub (local.get $length) (i32.const 1)))
              (br $next))
            unreachable)
          (func $sink (param $depth i32) (result i32)
            (i32.add (call $sink (i32.add (local.get $depth) (i32.const 1))) (i32.const 1)))
          (func (export "__guest_call") (param $operation i32) (param $length i32) (result i32)
            (local $at i32)
            {body}))"#
    );
    wat::parse_str(text).unwrap()
}

/// A policy that answers what its settings say: to `validate` the settings as they are, to `validate_settings` the
/// settings as they are where they begin with "message", else that they are valid.
pub fn echo() -> Vec<u8> {
    policy(
        r#"
        (call $request (i32.const 1024) (i32.const 65536))
        (if (i32.eq (local.get $operation) (i32.const 16))
          (then (call $response (i32.const 64) (i32.const 4)) (return (i32.const 1))))
        (if (i32.eq (local.get $operation) (i32.const 17))
          (then
            (if (i32.eq (i32.load8_u (i32.const 65538)) (i32.const 109))
              (then (call $response (i32.const 65536) (local.get $length)) (return (i32.const 1))))
            (call $response (i32.const 0) (i32.const 14))
            (return (i32.const 1))))
        (local.set $at (i32.add (i32.const 65536) (local.get $length)))
        (loop $back
          (local.set $at (i32.sub (local.get $at) (i32.const 1)))
          (br_if $back (i32.eqz (call $same (local.get $at) (i32.const 128) (i32.const 11)))))
        (local.set $at (i32.add (local.get $at) (i32.const 11)))
        (call $response
          (local.get $at)
          (i32.sub (i32.sub (i32.add (i32.const 65536) (local.get $length)) (i32.const 1)) (local.get $at)))
        (i32.const 1)"#,
    )
}

/// How the program ended and what it printed.
#[derive(Debug)]
pub struct Done {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

/// A folder of its own, with the echo policy in it as `annotated-policy.wasm`, where the program runs.
pub struct Place {
    folder: TempDir,
}

impl Place {
    pub fn new() -> Self {
        let place = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        place.write("annotated-policy.wasm", echo());
        place
    }

    /// The policy itself in place of the echo. `LWS_PLACEMENT_POLICY` names another than `make annotated-policy.wasm`
    /// builds.
    pub fn with_policy() -> Self {
        let policy = std::env::var_os("LWS_PLACEMENT_POLICY").map_or_else(
            || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../annotated-policy.wasm"),
            PathBuf::from,
        );
        let policy = std::fs::read(policy).expect("make annotated-policy.wasm builds the policy");
        let place = Self::new();
        place.write("annotated-policy.wasm", policy);
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).unwrap();
        std::fs::write(path, contents).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    pub fn run(&self, arguments: &[&str]) -> Done {
        self.run_with(arguments, "")
    }

    pub fn run_with(&self, arguments: &[&str], input: &str) -> Done {
        self.start(arguments, input, &[])
    }

    /// With these variables in the environment beside those that are there.
    pub fn run_in(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Done {
        self.start(arguments, "", environment)
    }

    fn start(&self, arguments: &[&str], input: &str, environment: &[(&str, &str)]) -> Done {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lws-placement"))
            .args(arguments)
            .envs(environment.iter().copied())
            .current_dir(self.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The program may end before it reads; that is its right.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        Done {
            status: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}
