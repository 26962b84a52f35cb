import 'server-only';
import { AppError } from '@/lib/errors';
import type { Actor } from '@/lib/policies/actor';
import { recordAudit } from '@/lib/records/audit';
import { StoreReader, write } from '@/lib/records/transaction';
import { createRecord } from '@/lib/records/writer';
import { freeName, stemOf } from '@/lib/vocabulary/free-name';
import { images, type ImageRow } from './collection';

/** What an image takes over from its template. What it is called follows from its own name, unless it is pulled. */
const TAKEN = [
  'description',
  'tags',
  'build_on',
  'creationType',
  'dockerfile',
  'baseImage',
  'channels',
  'environments',
  'startupCommands',
  'userConfiguration',
  'files',
  'filePaths',
  'buildArguments',
  'force_pull_base',
  'push_after_build',
] as const satisfies (keyof ImageRow)[];

/**
 * Makes an image as its template says, under the first free name and not built yet. Throws what creating one throws: the actor
 * needs the right to make images on the host, and sees the template's files.
 */
export async function makeFromTemplate(actor: Actor, template: ImageRow): Promise<ImageRow> {
  const taken: Record<string, unknown> = Object.fromEntries(TAKEN.map((field) => [field, template[field]]));
  if (template.creationType === 'pullAnImage') taken.dockerImageName = template.dockerImageName;
  const name = freeName(template.name, namesBeside(template));
  const made = (await createRecord(images, actor, { body: { ...taken, name } })) as { id: string };
  return write((tx) => {
    const image = tx.get(images, made.id);
    if (!image) throw new AppError('not_found', 'The image is gone already.');
    const on = { collection: 'images', record: template.id, name: template.name };
    recordAudit(tx, { action: 'image.useTemplate', actor, on });
    return image;
  });
}

function namesBeside({ name, build_on }: ImageRow): string[] {
  const stem = stemOf(name);
  return new StoreReader()
    .findParts(images, ['name'], { build_on })
    .flatMap((other) => (other.name.startsWith(stem) ? [other.name] : []));
}
