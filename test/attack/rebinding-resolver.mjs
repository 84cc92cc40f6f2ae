// Loaded into the program before it: names under `rebinding.example` are public when they are checked, and loopback
// afterwards. An attacker uses a separate name server for that.
import resolver from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';

const { lookup } = resolver;
const asked = new Set();

resolver.lookup = async (name, options) => {
  if (!name.endsWith('.rebinding.example')) return lookup(name, options);
  const address = asked.has(name) ? '127.0.0.2' : '93.184.216.34';
  asked.add(name);
  return [{ address, family: 4 }];
};
syncBuiltinESMExports();
