import path from 'node:path';
import createNextIntlPlugin from 'next-intl/plugin';

// Plain JavaScript, so that the console starts without a compiler.
const root = path.resolve(import.meta.dirname);

/** @type {import('next').NextConfig} */
const config = {
  outputFileTracingRoot: root,
  turbopack: { root },
  poweredByHeader: false,
};

export default createNextIntlPlugin('./lib/i18n-request.ts')(config);
