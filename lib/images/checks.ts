import { hostsTable } from '@/db/schema/hosts';
import type { imagesTable } from '@/db/schema/images';
import { workspacesTable } from '@/db/schema/workspaces';
import type { FieldProblems } from '@/lib/errors';
import { checkDockerfile } from './dockerfile';
import {
  defaultRepository,
  INVALID_IMAGE_NAME,
  isRepository,
  isTag,
  parseImageName,
} from '@/lib/vocabulary/image-name';
import { mayAct } from '@/lib/records/can';
import type { CheckContext, RowOf } from '@/lib/records/collection';
import { missingRelation, notAllowed } from '@/lib/records/attached';
import { hosts } from '@/lib/hosts/collection';
import { closedProblem } from '@/lib/hosts/takes-new';
import { checkBuildParameters } from './build-parameters';
import { checkNames } from './name-checks';
import { checkImageFiles, dropUnusedFilePaths } from './file-checks';
import { DEFAULT_BASE_IMAGE } from '@/lib/vocabulary/image';
import { readParts } from './image-recipe';
import { checkRecipe } from './recipe-checks';

type ImageRow = RowOf<typeof imagesTable>;

export const NO_IMAGES_HERE = 'You do not have permission to create images on this host.';

/** A new image is enabled and generates its Dockerfile unless told otherwise; where it is kept follows from its name. */
export function completeImage(context: CheckContext<ImageRow>): void {
  const { row, before, sent } = context;
  dropUnusedFilePaths(context);
  if (!before) {
    if (!sent.has('enabled')) row.enabled = true;
    if (!sent.has('creationType')) row.creationType = 'generateDockerfile';
    if (row.creationType === 'generateDockerfile' && !sent.has('baseImage')) row.baseImage = DEFAULT_BASE_IMAGE;
    row.status = 'build_pending';
    row.statusMessage = 'Not built yet';
  }
  row.external = row.creationType === 'pullAnImage';
  const pulled = row.external ? parseImageName(row.dockerImageName) : undefined;
  const renames = before && sent.has('dockerImageName') && row.dockerImageName !== before.dockerImageName;
  if (pulled) {
    if (row.repository === '' || renames) row.repository = pulled.repository;
    if (row.tag === '' || renames) row.tag = pulled.tag || 'latest';
  }
  if (row.repository === '' && !row.external && row.name !== '') row.repository = defaultRepository(row.name);
  if (row.tag === '') row.tag = 'latest';
}

/** What is wrong with an image beyond its fields: what its kind needs, its files, the right to build on its host. */
export function checkImage(context: CheckContext<ImageRow>): FieldProblems {
  const { row, before } = context;
  const problems: FieldProblems = {};
  const invalidName = { code: 'validation_invalid_format', message: INVALID_IMAGE_NAME };
  const blank = { code: 'validation_required', message: 'Cannot be blank.' };
  if (row.creationType === 'writeDockerfile') {
    const problem = row.dockerfile.trim() === '' ? undefined : checkDockerfile(row.dockerfile);
    if (row.dockerfile.trim() === '') problems.dockerfile = blank;
    else if (problem) problems.dockerfile = { code: 'validation_invalid_dockerfile', message: problem.message };
  }
  if (row.creationType === 'generateDockerfile') {
    if (row.baseImage === '') problems.baseImage = blank;
    else if (!parseImageName(row.baseImage)) problems.baseImage = invalidName;
    if (touchesLists(context)) Object.assign(problems, checkLists(context));
  }
  if (row.creationType === 'pullAnImage') {
    if (row.dockerImageName === '') problems.dockerImageName = blank;
    else if (!parseImageName(row.dockerImageName)) problems.dockerImageName = invalidName;
  }
  if (row.repository !== '' && !isRepository(row.repository)) problems.repository = invalidName;
  if (row.tag !== '' && !isTag(row.tag)) problems.tag = invalidName;
  Object.assign(problems, checkImageFiles(context), checkBuildParameters(context));
  if (Object.keys(problems).length === 0) Object.assign(problems, checkNames(context));
  if (!before || before.build_on !== row.build_on) Object.assign(problems, checkBuildHost(context));
  return problems;
}

function touchesLists({ before, sent }: CheckContext<ImageRow>): boolean {
  return !before || ['creationType', 'channels', 'environments', 'startupCommands'].some((field) => sent.has(field));
}

/** What of its lists names a part that is not there. What the fields themselves refuse is told by them. */
function checkLists({ row, before }: CheckContext<ImageRow>): FieldProblems {
  const parts = readParts(row);
  return parts ? checkRecipe(parts, before && readParts(before)) : {};
}

/** Building somewhere needs `canCreateImages` there; a host that the caller can't see is as if it did not exist. */
function checkBuildHost({ actor, tx, row, before }: CheckContext<ImageRow>): FieldProblems {
  if (before && tx.find({ name: 'workspaces', table: workspacesTable }, { image: row.id }, { limit: 1 }).length > 0) {
    const message = 'The host can not change while workspaces use the image.';
    return { build_on: { code: 'validation_in_invalid', message } };
  }
  if (before && !row.template && before.buildNumber > 0) {
    const message = 'The image was built on this host and stays there. Make a copy of it for another.';
    return { build_on: { code: 'validation_in_invalid', message } };
  }
  const host = tx.get({ name: 'hosts', table: hostsTable }, row.build_on);
  if (!host) return {};
  if (!mayAct(hosts, { actor, act: 'view', row: host })) {
    return { build_on: missingRelation() };
  }
  if (!mayAct(hosts, { actor, act: 'canCreateImages', row: host })) {
    return { build_on: notAllowed(NO_IMAGES_HERE) };
  }
  const closed = closedProblem(host);
  return closed ? { build_on: closed } : {};
}
