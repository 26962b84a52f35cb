import { benchList } from './list';
import { benchStartLatency } from './start-latency';
import { benchStartup } from './startup';
import { benchStatusLatency } from './status-latency';

const benches = {
  list: benchList,
  'start-latency': benchStartLatency,
  'status-latency': benchStatusLatency,
  startup: benchStartup,
};

const wanted = process.argv.slice(2);
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${name}`);
  await bench();
}
process.exit(0);
