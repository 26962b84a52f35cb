import { describe, expect, it } from 'vitest';
import { readTraefikConfig } from './traefik-config';

describe('a static configuration', () => {
  it('says where it is no TOML', () => {
    expect(readTraefikConfig('[api]\n\nx = [1,').problem).toMatch(/^This is no TOML, at line 3, column \d+: \S/);
    expect(readTraefikConfig('a = 1\na = 2').problem).toMatch(/line 2/);
    expect(readTraefikConfig('['.repeat(20_000)).problem).toMatch(/^This is no TOML/);
    expect(readTraefikConfig('').problem).toBe('');
  });

  it('asks for the socket where it asks Docker by one, in whatever case', () => {
    const socketOf = (source: string) => readTraefikConfig(source).socketPath;
    expect(socketOf('[providers.docker]')).toBe('/var/run/docker.sock');
    expect(socketOf('[Providers.Docker]\nEndpoint = "unix:///run/user/docker.sock"')).toBe('/run/user/docker.sock');
    expect(socketOf('[providers.docker]\nendpoint = "tcp://10.0.0.1:2375"')).toBe('');
    expect(socketOf('[providers.file]\ndirectory = "/x"')).toBe('');
    expect(socketOf('providers = 3')).toBe('');
  });

  it('says where its API listens', () => {
    const portOf = (source: string) => readTraefikConfig(source).apiPort;
    expect(portOf('[api]\ninsecure = true')).toBe(8080);
    expect(portOf('[entryPoints.traefik]\naddress = ":9000"')).toBe(9000);
    expect(portOf('[entrypoints.traefik]\naddress = "127.0.0.1:9001/tcp"')).toBe(9001);
    expect(portOf('[entryPoints.traefik]\naddress = ":99999"')).toBe(8080);
  });
});
