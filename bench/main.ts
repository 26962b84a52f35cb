import { benchAccounts } from './accounts';
import { benchApi } from './api';
import { benchLatency } from './latency';
import { benchList } from './list';
import { benchRealtime } from './realtime';
import { benchStartup } from './startup';

const benches = {
  api: benchApi,
  list: benchList,
  latency: benchLatency,
  realtime: benchRealtime,
  startup: benchStartup,
  accounts: benchAccounts,
};

const wanted = process.argv.slice(2);
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${name}`);
  await bench();
}
process.exit(0);
