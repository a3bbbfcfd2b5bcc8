import { spawn } from 'node:child_process';
import path from 'node:path';

export interface ProgramResult {
  /** 0 is success; 1 also stands for a program that could not be run or was killed. */
  readonly code: number;
  /** What it wrote, standard output and error together. */
  readonly output: string;
}

/** Runs a program of node_modules/.bin, or `node` itself, to its end. */
export function runProgram(name: string, args: readonly string[]): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const file = name === 'node' ? process.execPath : path.join('node_modules', '.bin', name);
    const program = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [program.stdout, program.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    program.once('error', (error) => resolve({ code: 1, output: `${name} cannot be run: ${error.message}` }));
    program.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
