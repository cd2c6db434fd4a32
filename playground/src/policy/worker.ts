// Runs the policy beside the page, so that typing never waits for it.

import init, * as policy from "../../pkg/lws_playground.js";
import type { Calls, Reply, Request } from "./calls.ts";

const ready = init();

const calls: Calls = {
  picture: policy.picture,
  detail: policy.detail,
  result: policy.result,
  difference: policy.difference,
  policies: policy.policies,
};

async function answer({ id, call, texts }: Request): Promise<Reply> {
  try {
    await ready;
    const run = calls[call] as (...texts: string[]) => string;
    return { id, json: run(...texts) };
  } catch (error) {
    // A trap leaves the instance in no known state, so the page starts another.
    return { id, failed: String(error) };
  }
}

self.addEventListener("message", async (event: MessageEvent<Request>) => {
  self.postMessage(await answer(event.data));
});
