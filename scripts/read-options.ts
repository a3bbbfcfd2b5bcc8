import { type ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

/** The options of a command that takes nothing else. `--help` prints the usage and ends it with 0; a mistake, with 2. */
export function readOptions<Known extends Options>({ usage, options }: { usage: string; options: Known }) {
  const help = { type: 'boolean', short: 'h' } as const;
  const { values } = orRefuse(() =>
    parseArgs<{ options: Known & { help: typeof help } }>({ options: { ...options, help } }),
  );
  if ((values as { help?: boolean }).help) {
    console.log(usage);
    process.exit(0);
  }
  return values;
}

/** Ends the command with 2, and says in one line what is wrong with its options. */
export function refuseOptions(mistake: string): never {
  console.error(`${mistake}; --help prints what is possible`);
  process.exit(2);
}

function orRefuse<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node goes on to explain how to escape what looks like an option.
    return refuseOptions(error.message.split('. ', 1)[0] ?? error.message);
  }
}
