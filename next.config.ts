import path from 'node:path';
import type { NextConfig } from 'next';
import createNextIntlPlugin from 'next-intl/plugin';

// Read when the pages are built; the console starts with what the build wrote down of it (`server/next-config.ts`).
const root = path.resolve(import.meta.dirname);

const config: NextConfig = {
  outputFileTracingRoot: root,
  turbopack: { root },
  poweredByHeader: false,
  // Pictures are scaled by our own call, for whoever may see them: Next's would do it for everyone.
  images: { unoptimized: true },
};

export default createNextIntlPlugin({
  requestConfig: './lib/i18n-request.ts',
  // Messages are compiled when the pages are built: browsers need no parser of theirs.
  experimental: {
    messages: { path: ['./messages/en', './messages/hu'], format: 'json', locales: 'infer', precompile: true },
  },
})(config);
