// `npm run bench [name …]`: measured ratios, each with its comparison in the same run.
import { become, ensureBuilt, ensureInstalled } from './toolchain.mjs';

ensureInstalled();
ensureBuilt();
become('npx', ['tsx', '--conditions=react-server', 'bench/main.ts', ...process.argv.slice(2)]);
