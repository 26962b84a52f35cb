import { benchAccounts } from './accounts';
import { benchActs } from './acts';
import { benchAgents } from './agents';
import { benchApi } from './api';
import { benchBuilds } from './builds';
import { benchBuiltInProxy } from './built-in-proxy';
import { benchForwardAuth } from './forward-auth';
import { benchGenerator } from './generator';
import { benchGroups } from './groups';
import { benchLatency } from './latency';
import { benchList } from './list';
import { benchLogs } from './logs';
import { benchPackages } from './packages';
import { benchRealtime } from './realtime';
import { benchStartup } from './startup';
import { benchTags } from './tags';
import { benchTerminal } from './terminal';
import { benchWeight } from './weight';

const benches = {
  acts: benchActs,
  agents: benchAgents,
  api: benchApi,
  list: benchList,
  latency: benchLatency,
  realtime: benchRealtime,
  startup: benchStartup,
  accounts: benchAccounts,
  builds: benchBuilds,
  'built-in-proxy': benchBuiltInProxy,
  'forward-auth': benchForwardAuth,
  generator: benchGenerator,
  groups: benchGroups,
  logs: benchLogs,
  packages: benchPackages,
  tags: benchTags,
  terminal: benchTerminal,
  weight: benchWeight,
};

const wanted = process.argv.slice(2);
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${name}`);
  await bench();
}
process.exit(0);
