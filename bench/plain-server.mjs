// The comparison for the list: a plain node:http server that runs the same SQL, prepared, on the same file.
import http from 'node:http';
import Database from 'better-sqlite3';

const { BENCH_DB, BENCH_PORT, BENCH_USER } = process.env;
const db = new Database(BENCH_DB, { readonly: true });
const visible = `(w.created_by = @user OR EXISTS (SELECT 1 FROM workspace_permissions p WHERE p.workspace = w.id AND p.user = @user
  AND (p.view OR p.deploy OR p.attach OR p.modify OR p."delete")))`;
const list = db.prepare(`SELECT w.* FROM workspaces w WHERE ${visible} LIMIT 30 OFFSET 0`);
const count = db.prepare(`SELECT count(*) AS total FROM workspaces w WHERE ${visible}`);
const JSON_COLUMNS = ['gpus', 'arguments', 'environment_variables', 'port_mappings', 'observed_ports'];

http
  .createServer((request, response) => {
    const items = list.all({ user: BENCH_USER });
    const { total } = count.get({ user: BENCH_USER });
    for (const item of items)
      for (const column of JSON_COLUMNS) item[column] = item[column] === null ? null : JSON.parse(item[column]);
    const body = JSON.stringify({ page: 1, perPage: 30, totalItems: total, totalPages: Math.ceil(total / 30), items });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  })
  .listen(Number(BENCH_PORT), '127.0.0.1', () => process.send?.('ready'));
