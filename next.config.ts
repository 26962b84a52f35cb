import path from 'node:path';
import type { NextConfig } from 'next';
import createNextIntlPlugin from 'next-intl/plugin';

// Read when the pages are built; the console starts with what the build wrote down of it (`server/next-config.ts`).
const root = path.resolve(import.meta.dirname);

const config: NextConfig = {
  outputFileTracingRoot: root,
  turbopack: { root },
  poweredByHeader: false,
};

export default createNextIntlPlugin('./lib/i18n-request.ts')(config);
