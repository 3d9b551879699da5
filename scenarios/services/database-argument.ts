import { parseArgs } from 'node:util';

/** The file that `--db FILE` names; without it the process ends with code 2 and says so. */
export function databaseArgument(): string {
  const { values } = parseArgs({ options: { db: { type: 'string' } } });
  if (values.db !== undefined) return values.db;
  process.stderr.write('expected --db FILE, the file of the database\n');
  process.exit(2);
}
