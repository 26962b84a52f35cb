import { expect, it } from 'vitest';
import { isVersion, nvidiaCommands } from './nvidia-commands';

it('takes a later part of the wanted version for it', () => {
  expect([isVersion('580.65.06', '580'), isVersion('1.18.0-1', '1.18.0'), isVersion('580', '580')]).toEqual([
    true,
    true,
    true,
  ]);
  expect([isVersion('5801', '580'), isVersion('', '580'), isVersion('570.1', '580'), isVersion('1', '')]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

it('names the wanted versions, and nothing that a shell would read as more', () => {
  const wanted = { isAdded: true, driverVersion: '580', toolkitVersion: '1.18.0' };
  expect(nvidiaCommands(wanted)).toContain('"nvidia-driver=580*"');
  expect(nvidiaCommands(wanted)).toContain('"nvidia-container-toolkit=1.18.0*"');
  const sly = nvidiaCommands({ ...wanted, driverVersion: '580; rm -rf /', toolkitVersion: '$(reboot)' });
  expect(sly).toBe(nvidiaCommands({ ...wanted, isAdded: false }));
});
