import { defineConfig } from "vite";

// The built page is part of the Python package, which serves it.
export default defineConfig({
  build: {
    outDir: "../python/obscuro/web/static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: { "/api": { target: "http://127.0.0.1:8420", ws: true } },
  },
});
