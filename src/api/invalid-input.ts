import { Failure, type FailureCode, type Problem } from '../domain/failures.ts';

/** A refusal that names every mistake in the input; they are answered in `extensions.problems` too. */
export class InvalidInput extends Failure {
  readonly problems: readonly Problem[];

  /** The code is that of the problems when they agree on one, and INVALID_INPUT otherwise. */
  constructor(problems: readonly Problem[]) {
    const told = problems.map(({ path, ...problem }) => ({ ...problem, path: dotted(path) }));
    const [only, ...others] = told;
    super(commonCode(told), describe(told), only && others.length === 0 ? detailsOf(only) : {});
    this.problems = told;
  }
}

/** Throws InvalidInput unless there are no problems. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new InvalidInput(problems);
}

/** `zones[0]` is `zones.0`: all paths are written in one way. */
function dotted(path: string): string {
  return path.replace(/\[(\d+)\]/g, '.$1');
}

function commonCode(problems: readonly Problem[]): FailureCode {
  const [first, ...others] = new Set(problems.map((problem) => problem.code));
  return first !== undefined && others.length === 0 ? first : 'INVALID_INPUT';
}

function detailsOf({ path, reason, component }: Problem): { path: string; reason?: string; component?: string } {
  return { path, ...(reason !== undefined && { reason }), ...(component !== undefined && { component }) };
}

function describe(problems: readonly Problem[]): string {
  const lines = problems.map(({ path, message }) => `${path}: ${message}`);
  return lines.length === 1 ? lines.join() : `${lines.length} problems: ${lines.join('; ')}`;
}
