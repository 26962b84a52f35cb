// The comparison for the record API: plain node:http with the same statements prepared, every write a commit of its own.
import http from 'node:http';
import { randomBytes } from 'node:crypto';
import Database from 'better-sqlite3';

const { BENCH_DB, BENCH_PORT } = process.env;
const db = new Database(BENCH_DB);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
const list = db.prepare(
  "SELECT * FROM recommendations WHERE kind = 'image' AND stars > 100 ORDER BY stars DESC, rowid LIMIT 30",
);
const count = db.prepare("SELECT count(*) AS total FROM recommendations WHERE kind = 'image' AND stars > 100");
const timed = "FROM recommendations WHERE kind = 'image' AND stars > 100 AND created < ?";
const timedList = db.prepare(`SELECT * ${timed} ORDER BY stars DESC, rowid LIMIT 30`);
const timedCount = db.prepare(`SELECT count(*) AS total ${timed}`);
const one = db.prepare('SELECT * FROM recommendations WHERE id = ?');
const insert = db.prepare(
  'INSERT INTO recommendations (id, created, updated, kind, name, stars) VALUES (?, ?, ?, ?, ?, ?)',
);

const shape = (row) => ({
  ...row,
  versions: row.versions === null ? [] : JSON.parse(row.versions),
  official: row.official === 1,
});

function send(response, json) {
  const body = JSON.stringify(json);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function sendPage(response, rows, { total }) {
  const items = rows.map(shape);
  send(response, { page: 1, perPage: 30, totalItems: total, totalPages: Math.ceil(total / 30), items });
}

function create(request, response) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { kind, name, stars } = JSON.parse(Buffer.concat(chunks).toString());
    const id = randomBytes(8).toString('hex').slice(0, 15);
    const now = new Date().toISOString().replace('T', ' ');
    insert.run(id, now, now, kind, name, stars);
    send(response, shape(one.get(id)));
  });
}

http
  .createServer((request, response) => {
    if (request.method === 'POST') return create(request, response);
    if (request.url === '/list') return sendPage(response, list.all(), count.get());
    if (request.url !== '/timed') return send(response, shape(one.get(request.url.slice(1))));
    const now = new Date().toISOString().replace('T', ' ');
    return sendPage(response, timedList.all(now), timedCount.get(now));
  })
  .listen(Number(BENCH_PORT), '127.0.0.1', () => process.send?.('ready'));

process.once('disconnect', () => process.exit(0));
