// `npm start`: from a fresh clone to a running console. Safe to repeat.
import { become, ensureBuilt, ensureInstalled } from './toolchain.mjs';

ensureInstalled();
ensureBuilt();
become('node', ['--enable-source-maps', 'dist/server.mjs'], { NODE_ENV: 'production' });
