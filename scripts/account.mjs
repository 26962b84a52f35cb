// `npm run account -- reset-password mara`: help for whoever can't log in any more.
import { become, ensureBuilt, ensureInstalled } from './toolchain.mjs';

ensureInstalled();
ensureBuilt();
become('node', ['--enable-source-maps', 'dist/account.mjs', ...process.argv.slice(2)], { NODE_ENV: 'production' });
