import path from 'node:path';
import { defineConfig } from 'vitest/config';

const root = import.meta.dirname;

export default defineConfig({
  resolve: {
    alias: { '@': root, 'server-only': path.join(root, 'tests/empty-module.ts') },
  },
  test: { include: ['**/*.test.ts'], exclude: ['node_modules/**', '.next/**', 'dist/**'] },
});
