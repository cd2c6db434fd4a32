// The built page on a server of its own, below a path, and a browser to meet it.

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const dist = fileURLToPath(new URL("../dist/", import.meta.url));

/** Where the page stands: not at the root, so that an absolute address would be found out. */
const PATH = "/some/where/";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** Serves the page and launches a browser for the tests of a file; both are there once these run. */
export function stand() {
  const stood = {};
  before(async () => {
    stood.server = await serve();
    stood.browser = await launch();
  });
  after(async () => {
    await stood.browser?.close();
    stood.server?.stop();
  });
  return {
    /** Opens the page at a fragment. */
    open: (fragment, options) => open(stood.browser, stood.server.address, fragment, options),
    /** The page's address. */
    get address() {
      return stood.server.address;
    },
  };
}

/** Replaces an editor's text by typing. */
export async function type(page, editor, text) {
  await page.locator(`#${editor} .cm-content`).focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

/** Serves the page on loopback; gives its address and how to stop. */
export async function serve() {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const name = normalize(pathname.slice(PATH.length) || "index.html");
    try {
      if (!pathname.startsWith(PATH) || name.startsWith("..")) {
        throw new Error("outside");
      }
      const body = await readFile(join(dist, name));
      response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { address: `http://127.0.0.1:${server.address().port}${PATH}`, stop: () => server.close() };
}

/** Debian's Chromium, or the one that CHROMIUM names. */
export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** Opens the page, and fails the test over anything that the browser complains of. */
export async function open(browser, address, fragment = "", options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.complaints = [];
  page.requests = [];
  page.on("pageerror", (error) => page.complaints.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) {
      page.complaints.push(message.text());
    }
  });
  page.on("request", (request) => page.requests.push(request.url()));
  await page.goto(address + fragment);
  await page.locator("#sum:not(:empty)").waitFor();
  return page;
}
