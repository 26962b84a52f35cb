// `npm run dev`: the console from its sources with a simulated engine and two people, edits applied as they are saved.
// Next applies those of pages and calls by itself; the process starts anew for what runs beside them: server, agent, host link.
import { become, ensureInstalled } from './toolchain.mjs';

/** What Next reloads, so that the process need not. */
const RELOADED = ['app', 'components', 'messages', 'lib/!(protocol|hosts)', 'lib/hosts/*.ts', 'lib/*.ts', '.next'];

const PASSWORD = 'Berth!dev1';
const people = {
  admin: { username: 'admin', email: 'admin@example.org', name: 'Ada Admin' },
  user: { username: 'user', email: 'user@example.org', name: 'Uma User' },
};

ensureInstalled();
const port = process.env.PORT ?? '3000';
const ignored = RELOADED.map((glob) => `--exclude=${glob.endsWith('.ts') ? glob : `${glob}/**`}`);
const watch = ['node_modules/tsx/dist/cli.mjs', 'watch', '--clear-screen=false', ...ignored];
// Not by npx: it would keep signals to itself.
become(process.execPath, [...watch, '--conditions=react-server', 'server.ts'], {
  NODE_ENV: 'development',
  BERTH_LOCAL_AGENT: process.env.BERTH_LOCAL_AGENT ?? 'simulated',
  BERTH_DATA_DIR: process.env.BERTH_DATA_DIR ?? './data/development',
});
await seed(`http://127.0.0.1:${port}/api`);

/** Adds the people to a console that has nobody yet, over its own API, and says how to sign in. */
async function seed(api) {
  for (;;) {
    const isUp = await fetch(`${api}/health`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isUp) break;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const password = { password: PASSWORD, passwordConfirm: PASSWORD };
  const form = new FormData();
  for (const [key, value] of Object.entries({ ...people.admin, ...password, isAdmin: 'true' })) form.append(key, value);
  const setup = await fetch(`${api}/setup`, { method: 'POST', body: form });
  if (setup.ok) {
    const { token } = await setup.json();
    await fetch(`${api}/collections/users/records`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify({ ...people.user, ...password }),
    });
  }
  console.log(`\nSign in as "admin" or "user" with the password ${PASSWORD}\n`);
}
