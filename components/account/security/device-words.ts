import Bowser from 'bowser';

/** A browser or program as it names itself. */
export interface Device {
  browser: string;
  system: string;
  isHandheld: boolean;
}

const PROGRAM_NAME_CHARS = 40;

/** Reads a User-Agent header; what is not known of it is empty. A program that is no browser goes by its first word. */
export function readDevice(userAgent: string): Device {
  if (userAgent === '') return { browser: '', system: '', isHandheld: false };
  const { browser, os, platform } = Bowser.parse(userAgent);
  const program = userAgent.split(/[\s/]/)[0] ?? '';
  return {
    browser: browser.name || program.slice(0, PROGRAM_NAME_CHARS),
    system: os.name ?? '',
    isHandheld: platform.type === 'mobile' || platform.type === 'tablet',
  };
}
