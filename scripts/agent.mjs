// `npm run agent`: the host agent from a checkout. Its settings come from the environment, see docs/self-hosting.md.
import { become, ensureBuilt, ensureInstalled } from './toolchain.mjs';

ensureInstalled();
ensureBuilt();
become('node', ['--enable-source-maps', 'dist/agent.mjs', ...process.argv.slice(2)], { NODE_ENV: 'production' });
