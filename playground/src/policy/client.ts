// Asks the worker. Of calls of one kind only the latest counts: what was asked before is not asked any more.

import type { Calls, Reply, Request } from "./calls.ts";
import type { Answer } from "./types.ts";

interface Waiting {
  request: Request;
  resolve(json: string | undefined): void;
}

/** The policy, run in a worker. */
export class Policy {
  #worker = this.#start();
  #next = 0;
  #running: Waiting | undefined;
  #queue = new Map<keyof Calls, Waiting>();

  /** Asks; gives nothing where a later call of the same kind took its place. */
  async ask<T>(call: keyof Calls, ...texts: string[]): Promise<Answer<T> | undefined> {
    const json = await new Promise<string | undefined>((resolve) => {
      this.#next += 1;
      this.#queue.get(call)?.resolve(undefined);
      this.#queue.delete(call);
      this.#queue.set(call, { request: { id: this.#next, call, texts }, resolve });
      this.#send();
    });
    return json === undefined ? undefined : (JSON.parse(json) as Answer<T>);
  }

  #start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", (event: MessageEvent<Reply>) => this.#receive(event.data));
    worker.addEventListener("error", (event) => {
      this.#fail(event.message || "its code could not be loaded");
    });
    return worker;
  }

  #send(): void {
    const first = this.#queue.values().next().value;
    if (this.#running || !first) {
      return;
    }
    this.#queue.delete(first.request.call);
    this.#running = first;
    this.#worker.postMessage(first.request);
  }

  #receive(reply: Reply): void {
    if (reply.id !== this.#running?.request.id) {
      return;
    }
    if ("failed" in reply) {
      this.#fail(reply.failed);
      return;
    }
    this.#settle(reply.json);
  }

  #fail(why: string): void {
    if (!this.#running) {
      return;
    }
    this.#worker.terminate();
    this.#worker = this.#start();
    const text = `The policy stopped: ${why}. Please report it, with what you typed.`;
    this.#settle(JSON.stringify({ faults: [{ severity: "error", place: null, text }] }));
  }

  #settle(json: string): void {
    const done = this.#running;
    this.#running = undefined;
    // What is newer than this answer will come; an older one would flicker.
    const isStale = done !== undefined && this.#queue.has(done.request.call);
    done?.resolve(isStale ? undefined : json);
    this.#send();
  }
}
