// `npm run dev`: the console from its sources, edits applied as they are saved.
import { become, ensureInstalled } from './toolchain.mjs';

ensureInstalled();
become('npx', ['tsx', '--conditions=react-server', 'server.ts'], {
  NODE_ENV: 'development',
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'debug',
});
