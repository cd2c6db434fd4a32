#!/usr/bin/env bash
# Installs the policy on a cluster of its own and looks at real pods: see README.md beside this file.
set -euo pipefail

# What is installed. Each may be set from outside.
: "${CLUSTER:=lws-replica-placement}"
: "${NODE_IMAGE:=kindest/node:v1.35.0}"
: "${CERT_MANAGER_VERSION:=v1.19.1}"
: "${KUBEWARDEN_CHART_VERSION:=6.0.2}"
: "${POLICY_SERVER_IMAGE:=ghcr.io/kubewarden/adm-controller/policy-server:v1.37.2}"
: "${LWS_VERSION:=0.10.0}"
: "${REGISTRY_IMAGE:=registry:3.0.0}"
: "${PAUSE_IMAGE:=registry.k8s.io/pause:3.10}"
: "${REGISTRY_PORT:=5001}"
: "${TIMEOUT:=300s}"
: "${POLICY:=annotated-policy.wasm}"
: "${LWS_PLACEMENT:=target/debug/lws-placement}"

# The key of the settings in examples/install.
readonly KEY=compact-placement-group
readonly NAMESPACE=placement-test
readonly NAME_LABEL=leaderworkerset.sigs.k8s.io/name
readonly STAMP=lws-replica-placement/placement
readonly MODULE=registry.registry.svc.cluster.local:5000/lws-replica-placement:test

usage() {
  cat <<'TEXT'
usage: run.sh [--check | --keep]

Makes a kind cluster with cert-manager, Kubewarden and LeaderWorkerSet, installs examples/install in it, and checks the
node selectors, tolerations and nodes of real pods. The cluster is deleted at the end.

  --check   only say whether everything that is needed is there
  --keep    leave the cluster for a look; delete it by: kind delete cluster --name lws-replica-placement

Versions and names are variables at the head of the script: LWS_VERSION=0.9.0 run.sh
TEXT
}

say() { printf '\n== %s\n' "$*"; }

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

# docker if it answers, else podman; kind is told which.
find_engine() {
  if command -v docker >/dev/null && docker info >/dev/null 2>&1; then
    ENGINE=docker
  elif command -v podman >/dev/null && podman info >/dev/null 2>&1; then
    ENGINE=podman
    export KIND_EXPERIMENTAL_PROVIDER=podman
  else
    ENGINE=
  fi
}

# All that is missing in one go.
check_needs() {
  local missing=() tool
  find_engine
  [[ -n $ENGINE ]] || missing+=("docker or podman, running: https://docs.docker.com/engine/install/")
  for tool in kind kubectl helm kwctl jq; do
    command -v "$tool" >/dev/null || missing+=("$tool: $(where_from "$tool")")
  done
  [[ -f $POLICY ]] || missing+=("$POLICY: make annotated-policy.wasm")
  if ((${#missing[@]})); then
    printf 'missing: %s\n' "${missing[@]}" >&2
    return 1
  fi
  echo "all there; containers by $ENGINE"
}

where_from() {
  case $1 in
    kind) echo https://kind.sigs.k8s.io/docs/user/quick-start/#installation ;;
    kubectl) echo https://kubernetes.io/docs/tasks/tools/ ;;
    helm) echo https://helm.sh/docs/intro/install/ ;;
    kwctl) echo https://github.com/kubewarden/adm-controller/releases ;;
    *) echo "your distribution" ;;
  esac
}

clean_up() {
  local status=$?
  trap - EXIT
  [[ -z ${FORWARD:-} ]] || kill "$FORWARD" 2>/dev/null || true
  if ((status)) && [[ -n ${MADE_CLUSTER:-} ]]; then
    show_state || true
  fi
  if [[ -n ${KEEP:-} && -n ${MADE_CLUSTER:-} ]]; then
    echo "the cluster stays: kubectl --kubeconfig $WORK/kubeconfig get pods -A"
  else
    [[ -z ${MADE_CLUSTER:-} ]] || kind delete cluster --name "$CLUSTER" --kubeconfig "$WORK/kubeconfig" || true
    [[ -z ${WORK:-} ]] || rm -rf "$WORK"
  fi
  exit "$status"
}

# What somebody wants to see who has to find out why.
show_state() {
  say "state of the cluster"
  kubectl get pods -A -o wide
  kubectl get clusteradmissionpolicies,policyservers
  kubectl -n "$NAMESPACE" get leaderworkersets,statefulsets
  kubectl -n "$NAMESPACE" get events --sort-by=.lastTimestamp | tail -n 20
  kubectl -n kubewarden logs "deployment/policy-server-lws-replica-placement" --tail=20
}

make_cluster() {
  say "kind cluster $CLUSTER, $NODE_IMAGE"
  if kind get clusters 2>/dev/null | grep -qxF "$CLUSTER"; then
    fail "there is a cluster $CLUSTER already; delete it by: kind delete cluster --name $CLUSTER"
  fi
  MADE_CLUSTER=yes
  # Worker 1 is for everything else, the others each for a replica.
  kind create cluster --name "$CLUSTER" --image "$NODE_IMAGE" --wait "$TIMEOUT" --config - <<'YAML'
kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
nodes:
  - role: control-plane
  - role: worker
  - role: worker
  - role: worker
YAML
  # kind calls its workers so.
  give_node_to_replica "$CLUSTER-worker2" fruit-0
  give_node_to_replica "$CLUSTER-worker3" fruit-1
}

# What an autoscaler would do for the value.
give_node_to_replica() {
  kubectl label node "$1" "$KEY=$2"
  kubectl taint node "$1" "$KEY=$2:NoSchedule"
}

install_operators() {
  if [[ -n $CERT_MANAGER_VERSION ]]; then
    say "cert-manager $CERT_MANAGER_VERSION"
    helm upgrade --install cert-manager cert-manager --repo https://charts.jetstack.io --version "$CERT_MANAGER_VERSION" \
      --namespace cert-manager --create-namespace --set crds.enabled=true --wait --timeout "$TIMEOUT"
  fi
  say "Kubewarden, chart $KUBEWARDEN_CHART_VERSION"
  helm upgrade --install kubewarden admission-controller --repo https://charts.kubewarden.io \
    --version "$KUBEWARDEN_CHART_VERSION" --namespace kubewarden --create-namespace --wait --timeout "$TIMEOUT"
  say "LeaderWorkerSet $LWS_VERSION"
  helm upgrade --install lws oci://registry.k8s.io/lws/charts/lws --version "$LWS_VERSION" \
    --namespace lws-system --create-namespace --wait --timeout "$TIMEOUT"
}

# The registry is in the cluster, so policy servers reach it by its name, whichever engine runs the nodes.
push_module() {
  say "the module in a registry of the cluster"
  kubectl create namespace registry
  kubectl -n registry create deployment registry --image "$REGISTRY_IMAGE" --port 5000
  kubectl -n registry expose deployment registry --port 5000
  kubectl -n registry rollout status deployment/registry --timeout "$TIMEOUT"
  kubectl -n registry port-forward service/registry "$REGISTRY_PORT:5000" >"$WORK/forward.log" 2>&1 &
  FORWARD=$!
  echo "insecure_sources: [\"localhost:$REGISTRY_PORT\"]" >"$WORK/sources.yaml"
  local try
  for try in 1 2 3 4 5 6; do
    if kwctl push --sources-path "$WORK/sources.yaml" "$POLICY" "registry://localhost:$REGISTRY_PORT/${MODULE#*/}"; then
      return
    fi
    echo "try $try failed; once more in 5 seconds"
    sleep 5
  done
  fail "the module could not be pushed; the port-forward says: $(cat "$WORK/forward.log")"
}

# examples/install with this registry and a smaller server; the rest is as it is there.
install_policies() {
  say "the policies of examples/install"
  cp examples/install/*.yaml "$WORK/install/"
  sed -i.bak "s#registry://registry.example.com/lws-replica-placement:[^ ]*#registry://$MODULE#" "$WORK"/install/*.yaml
  if ! grep -qF "registry://$MODULE" "$WORK/install/pods.yaml"; then
    fail "examples/install/pods.yaml names another module than registry.example.com/lws-replica-placement"
  fi
  cat >"$WORK/server-patch.json" <<JSON
{"spec": {"image": "$POLICY_SERVER_IMAGE", "replicas": 1, "minAvailable": null, "insecureSources": ["${MODULE%%/*}"]}}
JSON
  kubectl patch --local -f "$WORK/install/policy-server.yaml" --type merge --patch-file "$WORK/server-patch.json" -o yaml \
    | kubectl apply -f -
  local file
  for file in pods leaderworkersets pods-validate leaderworkersets-validate; do
    kubectl apply -f "$WORK/install/$file.yaml"
  done
  kubectl wait clusteradmissionpolicies --all --for=condition=PolicyActive --timeout "$TIMEOUT"
  kubectl wait clusteradmissionpolicies --all --for=condition=PolicyUniquelyReachable --timeout "$TIMEOUT"
}

# A set of pods that do nothing: name, replicas, node selector of the template as JSON.
set_manifest() {
  jq -n --arg name "$1" --argjson replicas "$2" --argjson selector "$3" --arg image "$PAUSE_IMAGE" '{
    apiVersion: "leaderworkerset.x-k8s.io/v1",
    kind: "LeaderWorkerSet",
    metadata: {name: $name},
    spec: {
      replicas: $replicas,
      leaderWorkerTemplate: {
        size: 2,
        workerTemplate: {spec: {nodeSelector: $selector, containers: [{name: "pause", image: $image}]}}
      }
    }
  }'
}

# The set's pods that are not on their way out.
pods_of() {
  kubectl -n "$NAMESPACE" get pods -l "$NAME_LABEL=$1" -o json \
    | jq '.items |= map(select(.metadata.deletionTimestamp == null))'
}

# Until the set has as many pods as that.
wait_for_pods() {
  local name=$1 wanted=$2 found=0 try
  for ((try = 0; try < 60; try++)); do
    found=$(pods_of "$name" | jq '.items | length')
    ((found == wanted)) && return
    sleep 2
  done
  fail "$wanted pods of $name were awaited, there are $found"
}

# Each pod of the set selects and tolerates its leader's name, and whoever runs does so on a node that carries it.
check_pods() {
  local name=$1 nodes wrong
  nodes=$(kubectl get nodes -o json)
  wrong=$(pods_of "$name" | jq -r --arg key "$KEY" --argjson nodes "$nodes" '
    ($nodes.items | map({(.metadata.name): (.metadata.labels[$key] // "")}) | add) as $values
    | .items[]
    | (.metadata.annotations["leaderworkerset.sigs.k8s.io/leader-name"] // .metadata.name) as $leader
    | .metadata.name as $pod
    | .spec.nodeName as $node
    | [
        (if .spec.nodeSelector[$key] == $leader then empty
         else "\($pod): node selector is \(.spec.nodeSelector[$key]), not \($leader)" end),
        (if any(.spec.tolerations[]?; .key == $key and .value == $leader and .effect == "NoSchedule") then empty
         else "\($pod): no toleration of \($key)=\($leader):NoSchedule" end),
        (if $node == null or $values[$node] == $leader then empty
         else "\($pod): runs on \($node), which carries \($values[$node])" end)
      ][]')
  [[ -z $wrong ]] || fail "$wrong"
  echo "ok: selector, toleration and node of $(pods_of "$name" | jq '.items | length') pods of $name"
}

check_replicas() {
  say "two replicas of two pods"
  kubectl create namespace "$NAMESPACE"
  set_manifest fruit 2 '{}' | kubectl -n "$NAMESPACE" apply -f -
  wait_for_pods fruit 4
  kubectl -n "$NAMESPACE" wait pods -l "$NAME_LABEL=fruit" --for=condition=Ready --timeout "$TIMEOUT"
  check_pods fruit
  local stamp
  stamp=$(kubectl -n "$NAMESPACE" get leaderworkerset fruit -o json \
    | jq -r --arg stamp "$STAMP" '.spec.leaderWorkerTemplate.workerTemplate.metadata.annotations[$stamp] // ""')
  [[ $stamp == *"$KEY"* ]] || fail "the set's template has the stamp \"$stamp\", which does not name $KEY"
  echo "ok: stamp $stamp"
}

check_scaling() {
  say "a third replica, for which there is no node"
  kubectl -n "$NAMESPACE" scale leaderworkerset fruit --replicas 3
  wait_for_pods fruit 6
  check_pods fruit
}

check_restart() {
  say "a worker that is made again"
  local before after try
  before=$(kubectl -n "$NAMESPACE" get pod fruit-1-1 -o jsonpath='{.metadata.uid}')
  kubectl -n "$NAMESPACE" delete pod fruit-1-1 --wait
  for ((try = 0; try < 60; try++)); do
    after=$(kubectl -n "$NAMESPACE" get pod fruit-1-1 -o jsonpath='{.metadata.uid}' 2>/dev/null || true)
    [[ -n $after && $after != "$before" ]] && break
    sleep 2
  done
  [[ -n ${after:-} && $after != "$before" ]] || fail "fruit-1-1 did not come again"
  wait_for_pods fruit 6
  check_pods fruit
}

check_refusal() {
  say "a set whose template fixes the key"
  local said
  if said=$(set_manifest stubborn 2 "{\"$KEY\": \"mine\"}" | kubectl -n "$NAMESPACE" apply -f - 2>&1); then
    fail "it was accepted: $said"
  fi
  [[ $said == *"$KEY"* && $said == *"denied the request"* ]] || fail "it was refused by something else: $said"
  echo "ok: $said"
}

# The same cluster through the review of dumps, if it is built.
check_review() {
  if [[ ! -x $LWS_PLACEMENT ]]; then
    say "no review: $LWS_PLACEMENT is not there; make target/debug/lws-placement builds it"
    return
  fi
  say "lws-placement review of the cluster"
  kubectl get leaderworkersets,pods,nodes,namespaces -A -o yaml \
    | "$LWS_PLACEMENT" review -f - --settings examples/settings.yaml --policy "$POLICY"
}

main() {
  cd "$(dirname "${BASH_SOURCE[0]}")/../.."
  case ${1:-} in
    '') ;;
    --check) check_needs && return 0 || return 1 ;;
    --keep) KEEP=yes ;;
    -h | --help) usage && return 0 ;;
    *) usage >&2 && return 2 ;;
  esac
  check_needs
  WORK=$(mktemp -d)
  trap clean_up EXIT
  mkdir "$WORK/install"
  export KUBECONFIG=$WORK/kubeconfig
  make_cluster
  install_operators
  push_module
  install_policies
  check_replicas
  check_scaling
  check_restart
  check_refusal
  check_review
  say "all checks passed"
}

main "$@"
