import { defineConfig } from "vite";

export default defineConfig({
  // Relative, so that the page works below any path.
  base: "./",
  build: {
    target: "es2023",
    // The content security policy allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
  },
  worker: { format: "es" },
  // Examples are read from the repository's own.
  server: { host: "127.0.0.1", fs: { allow: [".."] } },
  preview: { host: "127.0.0.1" },
});
