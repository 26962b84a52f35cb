import { promisify } from 'node:util';
import type { Readable } from 'node:stream';
import yauzl from 'yauzl';
import yazl from 'yazl';

/** A zip of these files. */
export async function zipOf(entries: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return Buffer.from(await new Response(zip.outputStream as unknown as ReadableStream).arrayBuffer());
}

/** The files of a zip by their names. */
export async function readZip(bytes: Buffer): Promise<Record<string, Buffer>> {
  const zip = await promisify<Buffer, yauzl.Options, yauzl.ZipFile>(yauzl.fromBuffer)(bytes, { lazyEntries: true });
  const files: Record<string, Buffer> = {};
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: yauzl.Entry) => {
      zip.openReadStream(entry, (error, stream: Readable) => {
        if (error) return reject(error);
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          files[entry.fileName] = Buffer.concat(chunks);
          zip.readEntry();
        });
      });
    });
    zip.on('end', () => resolve(files));
    zip.on('error', reject);
    zip.readEntry();
  });
}
