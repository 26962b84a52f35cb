import dgram from 'node:dgram';
import { isIP } from 'node:net';

const A = 1;
const AAAA = 28;

export interface DnsServer {
  /** As `BERTH_DNS_SERVERS` takes it. */
  readonly address: string;
  /** Addresses by name; `*.name` answers for every name below it. */
  readonly records: Map<string, string[]>;
  /** Names that are answered in another way: not at all, or with a failure. */
  readonly troubled: Map<string, 'silent' | 'failing'>;
  /** What was asked for. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** A name server on this machine alone, which tells A and AAAA records of what it is given. */
export async function startDnsServer(): Promise<DnsServer> {
  const records = new Map<string, string[]>();
  const troubled = new Map<string, 'silent' | 'failing'>();
  const asked: string[] = [];
  const socket = dgram.createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { name, type, end } = readQuestion(message);
    asked.push(name);
    const trouble = troubled.get(name);
    if (trouble === 'silent') return;
    const found = records.get(name) ?? records.get(`*.${name.split('.').slice(1).join('.')}`);
    const wanted = (found ?? []).filter((each) => (isIP(each) === 4 ? A : AAAA) === type);
    const code = trouble === 'failing' ? 2 : found ? 0 : 3;
    socket.send(answer(message.subarray(0, end), { code, type, addresses: wanted }), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    troubled,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.subarray(at + 1, at + 1 + length).toString('latin1'));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

interface Answer {
  /** As in RFC 1035: 0 for none, 2 for a failure of the server, 3 for no such name. */
  code: number;
  type: number;
  addresses: readonly string[];
}

function answer(question: Buffer, { code, type, addresses }: Answer): Buffer {
  const head = Buffer.from(question);
  // An answer, with recursion available.
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const told = addresses.map((address) => {
    const data = type === A ? Buffer.from(address.split('.').map(Number)) : bytesOf(address);
    const fixed = Buffer.alloc(12);
    // The name is that of the question.
    fixed.writeUInt16BE(0xc00c, 0);
    fixed.writeUInt16BE(type, 2);
    fixed.writeUInt16BE(1, 4);
    fixed.writeUInt32BE(60, 6);
    fixed.writeUInt16BE(data.length, 10);
    return Buffer.concat([fixed, data]);
  });
  return Buffer.concat([head, ...told]);
}

function bytesOf(address: string): Buffer {
  const [before = '', after] = address.split('::');
  const words = (text = ''): string[] => text.split(':').filter(Boolean);
  const [first, last] = [words(before), words(after)];
  const all = [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last];
  return Buffer.from(all.map((word) => word.padStart(4, '0')).join(''), 'hex');
}
