/** Every number that bounds input, in one place. Sizes in bytes, times in seconds unless the name says otherwise. */
export const limits = {
  uploadBytes: 5_242_880,
  dotEnvBytes: 50 * 1024,
  jsonBodyBytes: 32 * 1024 * 1024,
  /** A whole multipart body: parts are held in memory until the record is written. */
  multipartBodyBytes: 64 * 1024 * 1024,
  /** A record body of someone who has not signed in: it is read and checked, though nothing can come of it. */
  guestBodyBytes: 1024 * 1024,
  dockerfileBytes: 256 * 1024,
  filesPerImage: 99,
  nameLength: 100,
  descriptionLength: 2000,
  portMappings: 100,
  /** Single ports that the mappings of one workspace may expand to. */
  publishedPorts: 1000,
  networksPerWorkspace: 50,
  volumesPerWorkspace: 50,
  externalUrls: 50,
  urlUsers: 200,
  recommendationsPerRecord: 200,
  pathLength: 1000,
  environmentVariables: 500,
  environmentValueBytes: 32 * 1024,
  arguments: 200,
  passwordMinLength: 8,
  passwordMaxLength: 72,
  /** By a mailed link a password may be longer. */
  resetPasswordMaxLength: 100,
  apiTokensPerAccount: 50,
  apiTokenDays: 3650,
  passkeysPerAccount: 20,
  /** What changes how an account is secured may follow a sign-in without a password for so long. */
  freshSignInSeconds: 600,
  /** After the first factor the second is waited for. */
  pendingSignInSeconds: 300,
  /** Wrong codes of a second factor in a window. */
  secondFactorTries: 5,
  secondFactorTriesSeconds: 300,
  /** A mail of one kind goes to an account once in this time. */
  mailPauseSeconds: 120,
  listPageSize: 30,
  listPageSizeMax: 500,
  queryStringChars: 2048,
  buildLogBytes: 16 * 1024 * 1024,
  pageSizes: [10, 25, 50, 100],
  pageSizeDefault: 10,
} as const;

export const hostDefaults = {
  environment: 'docker',
  default_runtime: 'runc',
  default_gpu_runtime: 'nvidia',
  heartbeat_interval_seconds: 10,
  reconciliation_interval_seconds: 30,
  pull_timeout: 1800,
  push_timeout: 1800,
  build_timeout: 3600,
} as const;
