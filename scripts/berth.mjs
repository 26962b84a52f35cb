// `npm run berth -- backup`: backups, upgrades, and records to and from other consoles.
import { become, ensureBuilt, ensureInstalled } from './toolchain.mjs';

ensureInstalled();
ensureBuilt();
become('node', ['--enable-source-maps', 'dist/berth.mjs', ...process.argv.slice(2)], { NODE_ENV: 'production' });
