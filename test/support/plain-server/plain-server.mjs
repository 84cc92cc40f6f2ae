// A ClickHouse server out of the embedded engine's library: LIBRARY CONFIG FOLDER. Ends with its parent.
import { DataType, load, open } from 'ffi-rs';

const [path = '', config = '', folder = ''] = process.argv.slice(2);
const end = () => process.kill(process.pid, 'SIGKILL');
process.once('disconnect', end);
// The parent may have ended before.
if (!process.connected) end();
const args = [
  'clickhouse-local',
  `--config-file=${config}`,
  `--path=${folder}`,
  '--query=SYSTEM START LISTEN HTTP',
  // Never ends; the listeners would end with it.
  '--query=SELECT sleepEachRow(3) FROM numbers(1000000000) SETTINGS max_block_size = 1 FORMAT Null',
];
open({ library: 'chdb', path });
await load({
  library: 'chdb',
  funcName: 'chdb_query_cmdline',
  retType: DataType.External,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [args.length, args],
  // The call ends with the server; messages of the parent are heard meanwhile.
  runInNewThread: true,
});
process.exit(1);
