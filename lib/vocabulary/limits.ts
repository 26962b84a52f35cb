/** Every number that bounds input, in one place. Sizes in bytes, times in seconds unless the name says otherwise. */
export const limits = {
  uploadBytes: 5_242_880,
  /** One file on its way into a container. */
  workspaceFileBytes: 4 * 1024 ** 3,
  containerPathLength: 4096,
  /** What a backup of a volume has to leave free on the console's disk. */
  volumeBackupSpareBytes: 1024 ** 3,
  /** What an uploaded tar may hold, unpacked. */
  volumeTarBytes: 64 * 1024 ** 3,
  dotEnvBytes: 50 * 1024,
  /** A record body where a field of the collection takes so much. */
  jsonBodyBytes: 2 * 1024 * 1024,
  /** Every other body. */
  smallBodyBytes: 64 * 1024,
  /** A JSON field that says nothing else, and how many values it may hold: each is looked at for itself. */
  jsonFieldBytes: 1024 * 1024,
  jsonFieldValues: 20_000,
  /** A text field that says nothing else. */
  textLength: 5000,
  urlLength: 2048,
  /** A whole multipart body: parts are held in memory until the record is written. */
  multipartBodyBytes: 64 * 1024 * 1024,
  dockerfileBytes: 256 * 1024,
  filesPerImage: 99,
  /** Of a file that lies elsewhere, fetched by a build. */
  externalFileBytes: 100 * 1024 * 1024,
  nameLength: 100,
  /** Of what stands in the search box of a list. */
  searchLength: 200,
  descriptionLength: 2000,
  maintenanceReasonLength: 300,
  portMappings: 100,
  /** Single ports that the mappings of one workspace may expand to. */
  publishedPorts: 1000,
  networksPerWorkspace: 50,
  volumesPerWorkspace: 50,
  externalUrls: 50,
  urlUsers: 200,
  portShares: 100,
  /** How long a port may be public at a time. */
  publicPortDays: 30,
  /** Requests and connections that are open at once through the console, to one workspace and by one person or address. */
  openPerWorkspace: 2000,
  openPerVisitor: 1000,
  recommendationsPerRecord: 200,
  /** Names that are read of what a sign-in provider says. */
  groupsPerClaim: 1000,
  pathLength: 1000,
  environmentVariables: 500,
  environmentValueBytes: 32 * 1024,
  arguments: 200,
  healthCommandLength: 4000,
  healthSeconds: 86_400,
  healthRetries: 1000,
  passwordMinLength: 8,
  passwordMaxLength: 72,
  /** By a mailed link a password may be longer. */
  resetPasswordMaxLength: 100,
  /** Open at once, as windows on sessions. */
  terminalsPerAccount: 20,
  terminalCommandLength: 4000,
  apiTokensPerAccount: 50,
  apiTokenDays: 3650,
  passkeysPerAccount: 20,
  /** What changes how an account is secured may follow a sign-in without a password for so long. */
  freshSignInSeconds: 600,
  /** After the first factor the second is waited for. */
  pendingSignInSeconds: 300,
  /** A mail of one kind goes to an account once in this time. */
  mailPauseSeconds: 120,
  listPageSize: 30,
  listPageSizeMax: 500,
  queryStringChars: 2048,
  /** Of the rows that one answer is made of, expansions each time that they are written. */
  answerChars: 8_000_000,
  buildLogBytes: 16 * 1024 * 1024,
  /** The last good builds of an image stay on its host; older ones go, unless a workspace runs them. */
  buildsKeptOnHost: 5,
  pageSizes: [10, 25, 50, 100],
  pageSizeDefault: 10,
  /** A longer one is compared with nothing: it is no password of ours. */
  passwordTriedMaxLength: 1000,
  /** What one search finds. */
  packagesFound: 20,
  packageQueryLength: 200,
  /** That one search asks. */
  channelsSearched: 10,
  setupWindowSeconds: 60 * 60,
  auditKeptDays: 365,
  /** Of what someone tried to sign in as, in the audit log. */
  auditIdentityLength: 100,
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
  queued_builds_per_person: 10,
} as const;

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** So many tries in a window of so many seconds. */
export interface RateLimit {
  readonly name: string;
  readonly max: number;
  readonly periodSeconds: number;
}

const limit = (name: string, max: number, periodSeconds: number): RateLimit => ({ name, max, periodSeconds });

/** How often something may be tried before one has to wait, by account and by address. */
export const rateLimits = {
  /** Failed tries: a success gives its turn back. */
  signInByAccount: limit('sign-in/account', 10, 5 * MINUTE),
  signInByAddress: limit('sign-in/address', 100, 5 * MINUTE),
  /** From where the account's owner signed in before: nobody there is to lock him out for longer. */
  signInByKnownAddress: limit('sign-in/known-address', 5, 15),
  /** Mails of one kind, counted the same whether or not there is such an account. */
  passwordResetByAccount: limit('password-reset/account', 10, HOUR),
  passwordResetByAddress: limit('password-reset/address', 100, HOUR),
  verificationByAccount: limit('verification/account', 10, HOUR),
  verificationByAddress: limit('verification/address', 100, HOUR),
  emailChangeByAccount: limit('email-change/account', 20, HOUR),
  emailChangeByAddress: limit('email-change/address', 100, HOUR),
  providerByAddress: limit('provider/address', 120, 5 * MINUTE),
  /** Failed tries of a code, or of the password that confirms a change of how the account is secured. */
  secondFactorByAccount: limit('second-factor/account', 5, 5 * MINUTE),
  /** Failed tries: whoever has the mail needs one. */
  confirmByAddress: limit('confirm/address', 120, 5 * MINUTE),
  /** Failed tries of passkeys, and of codes that follow a first factor. */
  furtherFactorByAddress: limit('further-factor/address', 60, 5 * MINUTE),
  /** Questions to passkeys: so many are remembered, and nobody shall crowd out those of others. */
  passkeyQuestionsByAddress: limit('passkey-questions/address', 300, 5 * MINUTE),
  terminalsByAccount: limit('terminals/account', 60, MINUTE),
  /** Questions about packages that the console has to ask an index for. */
  packageQuestionsByAccount: limit('package-questions/account', 300, 5 * MINUTE),
  /** Lists of packages that are fetched because of someone's question, not those that are looked at again. */
  packageListsByAccount: limit('package-lists/account', 30, HOUR),
  /** Log-ins at addresses of workspaces. */
  verifyByAccount: limit('verify/account', 60, 5 * MINUTE),
  verifyByAddress: limit('verify/address', 600, 5 * MINUTE),
  /** Looks at whether addresses of workspaces open: each asks name servers and connects. */
  addressChecksByAccount: limit('address-checks/account', 30, 5 * MINUTE),
  setupByAddress: limit('set-up/address', 20, 5 * MINUTE),
} as const;
