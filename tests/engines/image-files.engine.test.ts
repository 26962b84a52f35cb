import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import { readLockText } from '@/lib/images/locks/lock-text';
import { docker, dockerAbsence, makeBusyboxBuild, removeAll } from './docker-fixture';

const HOST = 'host-image-files';
const TAG = 'berth/image-files:1';
const MAX = 64 * 1024;
const engine = new DockerEngine({ dockerHost: '' });
const sh = (words: string) => `RUN ["/bin/sh", "-c", ${JSON.stringify(words)}]`;
const read = async (path: string) => {
  const request = { hostId: HOST, image: TAG, paths: [path], maxBytes: MAX };
  const [file] = await engine.readImageFiles(request, AbortSignal.timeout(30_000));
  return { text: file!.bytes.toString(), problem: file!.problem };
};

describe.skipIf(dockerAbsence !== '')('reading files out of an image that means ill', () => {
  beforeAll(async () => {
    const lines = [
      sh('/bin/busybox mkdir -p /l /etc && echo fine >/l/plain && echo root:secret >/etc/shadow'),
      sh('/bin/busybox ln -s /etc/shadow /l/link && /bin/busybox ln -s /../../../../etc /l/out'),
      sh('/bin/busybox mknod /l/device c 1 5 && /bin/busybox mkfifo /l/pipe && /bin/busybox mkdir /l/folder'),
      sh('/bin/busybox truncate -s 50M /l/huge'),
      'VOLUME /l/volume',
      'ENTRYPOINT ["/bin/busybox", "touch", "/l/was-run"]',
    ];
    const options = { log: () => undefined, signal: new AbortController().signal };
    await engine.build({ hostId: HOST, spec: makeBusyboxBuild(TAG, lines), auths: [] }, options);
  }, 60_000);

  afterAll(() => removeAll(HOST));

  it.each([
    ['a link', '/l/link', 'it is no plain file'],
    ['a device', '/l/device', 'it is no plain file'],
    ['a pipe', '/l/pipe', 'it is no plain file'],
    ['a folder', '/l/folder', 'it is no plain file'],
    ['a file of 50 MB', '/l/huge', `it is larger than ${MAX} bytes`],
    ['nothing', '/l/none', 'it is not there'],
  ])('refuses %s', async (_, path, problem) => {
    expect(await read(path)).toEqual({ text: '', problem });
  });

  it('stays inside the image where a folder leads out, and such a text is no lock', async () => {
    const { text } = await read('/l/out/shadow');
    expect(text).toBe('root:secret\n');
    expect(readLockText('main', text)).toMatchObject({ packages: [], problem: expect.not.stringContaining('secret') });
  });

  it('reads a plain file, runs nothing, and leaves no container and no volume', async () => {
    const volumes = async () => ((await docker.listVolumes()).Volumes ?? []).map(({ Name }) => Name);
    const before = await volumes();
    expect(await read('/l/plain')).toEqual({ text: 'fine\n', problem: '' });
    expect((await read('/l/was-run')).problem).toBe('it is not there');
    const filters = { label: [`berth.host=${HOST}`] };
    expect(await docker.listContainers({ all: true, filters })).toEqual([]);
    expect((await volumes()).filter((name) => !before.includes(name))).toEqual([]);
  });

  it('takes away what an agent was killed over', async () => {
    const Labels = { 'berth.host': HOST, 'berth.kind': 'reader' };
    const { id } = await docker.createContainer({ Image: TAG, Labels });
    await read('/l/plain');
    await expect(docker.getContainer(id).inspect()).rejects.toMatchObject({ statusCode: 404 });
  });
});
