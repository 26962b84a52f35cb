/** At an address whose workspace does not run: asks the console to start it. */
export const START_PATH = '/.berth/start';
