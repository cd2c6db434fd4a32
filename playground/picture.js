// Draws the README's pictures: the page's picture of its first example, in light and in dark.

import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { launch, open, serve } from "./tests/support.js";

const folder = fileURLToPath(new URL("../docs/pictures/", import.meta.url));

/** Pixels of the page around the replicas. */
const EDGE = 12;

await mkdir(folder, { recursive: true });
const server = await serve();
const browser = await launch();
for (const colorScheme of ["light", "dark"]) {
  const page = await open(browser, server.address, "", {
    colorScheme,
    deviceScaleFactor: 2,
    reducedMotion: "reduce",
    viewport: { width: 1280, height: 900 },
  });
  const { x, y, width, height } = await page.locator(".replicas").first().boundingBox();
  const clip = { x: x - EDGE, y: y - EDGE, width: width + 2 * EDGE, height: height + 2 * EDGE };
  await page.screenshot({ path: `${folder}replicas-${colorScheme}.png`, clip });
}
await browser.close();
server.stop();
