import { describe, expect, it, test } from 'vitest';
import { DockerfileRefusal, rewriteDockerfile } from './rewrite-dockerfile';

const asked: string[] = [];
function rewrite(source: string, buildArgs = {}) {
  asked.length = 0;
  return rewriteDockerfile(source, {
    resolve: ({ name, platform }) => {
      asked.push(platform ? `${name} ${platform}` : name);
      if (name.startsWith('secret/')) throw new DockerfileRefusal(`no ${name}`);
      return 'berth/base:0';
    },
    buildArgs,
    platform: 'linux/amd64',
  });
}

describe('a Dockerfile', () => {
  it('gets names of the host for those of images, and keeps its stages', () => {
    const { dockerfile } = rewrite(
      [
        '# syntax=docker/dockerfile:1',
        'ARG V=1',
        'FROM --platform=$BUILDPLATFORM team/base:$V AS Build',
        'RUN make \\',
        '# a note',
        '',
        '  && true',
        'FROM --platform=linux/arm64 other',
        'COPY --from=build --chown=1:1 /a /a',
        'COPY --from=0 /a /b',
        'COPY --from=team/tools:2 /c /c',
        'RUN --mount=type=cache,target=/x,from=team/cache --network=none cat /x',
        'FROM build',
      ].join('\n'),
    );
    expect(asked).toEqual(['team/base:1', 'other linux/arm64', 'team/tools:2', 'team/cache']);
    expect(dockerfile.split('\n')).toEqual([
      '# escape=\\',
      'ARG V=1',
      'FROM --platform=linux/amd64 berth/base:0 AS Build',
      'RUN make   && true',
      'FROM --platform=linux/arm64 berth/base:0',
      'COPY --from=build --chown=1:1 /a /a',
      'COPY --from=0 /a /b',
      'COPY --from=berth/base:0 /c /c',
      'RUN --mount=type=cache,target=/x,from=berth/base:0 --network=none cat /x',
      'FROM build',
      '',
    ]);
  });

  it('is read with the build arguments that are given, and with what variables say otherwise', () => {
    rewrite('ARG A=secret/x B\nFROM ${A}\nFROM a:${B:-2}\nFROM b${B:+3}\nFROM "c:$B"', { A: 'plain', B: 'b' });
    expect(asked).toEqual(['plain', 'a:b', 'b3', 'c:b']);
    rewrite('ARG B\nFROM a:${B:-2}\nFROM a-$TARGETARCH');
    expect(asked).toEqual(['a:2', 'a-amd64']);
  });

  it('keeps here-documents, the other escape and lines that are too long for builders', () => {
    expect(rewrite('FROM a\nRUN <<EOF\nFROM secret/x\nEOF\nCMD x').hasHereDocuments).toBe(true);
    expect(asked).toEqual(['a']);
    expect(rewrite('# escape=`\nFROM a\nRUN b `\n c').dockerfile).toBe('# escape=`\nFROM berth/base:0\nRUN b  c\n');
    const { dockerfile } = rewrite(`FROM a\nRUN ${'install one \\\n'.repeat(10_000)} two`);
    const lines = dockerfile.split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(65_000);
    expect(
      lines
        .slice(2)
        .join('')
        .replaceAll('\\', '')
        .match(/install one/g),
    ).toHaveLength(10_000);
  });

  test.each([
    ['a name in pieces', 'FROM secr\\\net/x'],
    ['lower case', 'FROM a\ncopy --from=secret/x / /'],
    ['a later stage', 'FROM a\nCOPY --from=secret/x / /\nFROM b AS secret/x'],
    ['a here-document in quotes', 'FROM a\nRUN echo "<<CMD"\nFROM secret/x\nCMD\n'],
    ['a here-document in a variable', 'FROM a\nRUN echo ${X:- <<CMD }\nFROM secret/x\nCMD x\n'],
    ['a here-document in JSON', 'FROM a\nRUN ["a", <<CMD\nFROM secret/x\nCMD'],
    ['a mount', 'FROM a\nRUN --mount=type=bind,FROM=secret/x,target=/x cat /x'],
    ['a mount that looks like a number of a stage', 'FROM a\nRUN --mount=from=secret/x,source=0 true'],
    ['options in quotes', 'FROM a\nCOPY --from="secret/x" / /'],
    ['options in escapes', 'FROM a\nCOPY --fr\\om=secret/x / /'],
    ['a variable in COPY', 'ARG X=secret/x\nFROM a\nCOPY --from=$X / /'],
    ['a frontend of its own', '# syntax=secret/frontend\nFROM a'],
    ['a trigger', 'FROM a\nONBUILD COPY --from=secret/x / /'],
    ['a trigger that mounts', 'FROM a\nONBUILD RUN --mount=from=secret/x true'],
    ['the network of the host', 'FROM a\nRUN --network=host true'],
    ['no sandbox', 'FROM a\nRUN --security=insecure true'],
    ['what only the host reaches', 'FROM a\nADD http://127.0.0.1:2375/info /'],
    ['the same in quotes', 'FROM a\nADD ht"t"p://127.0.0.1/ /'],
    ['the same in JSON', 'FROM a\nADD ["http://localhost/", "/"]'],
    ['the same in what other builders read as JSON', 'FROM a\nADD ["http://localhost/", "/"] junk'],
    ['the same in a variable', 'FROM a\nADD $URL /'],
    ['the same in a part of it', 'FROM a\nADD htt$REST /'],
    ['the same in a trigger', 'FROM a\nONBUILD ADD http://10.0.0.1/x /'],
    ['an end that joins what follows', 'FROM a\nRUN b \\\\\n'],
  ])('is refused with %s', (_, source) => expect(() => rewrite(source)).toThrow(DockerfileRefusal));

  it('lists what it fetches', () => {
    const { fetches } = rewrite('FROM a\nADD https://example.org/v$V/a.tgz b.txt src/$C /x/');
    expect(fetches).toEqual(['https://example.org/v$V/a.tgz']);
  });
});
