import { randomUUID } from 'node:crypto';
import { mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentCall } from '../contract/index.ts';
import { LabError, type Json } from '../core/index.ts';
import type { ToolCall, Turn } from './agent-call.ts';
import type { ToolResult } from './agent-tools.ts';
import type { PlatformCall } from './platform-call.ts';

export type TranscriptEntry =
  | { readonly role: 'user'; readonly text: string }
  | ({ readonly role: 'assistant' } & Turn)
  | ({ readonly role: 'tool'; readonly result: ToolResult } & ToolCall);

/**
 * Writes `execution/call-OPERATION/transcript.json` of the run's folder, whole or not at all, readable by its owner
 * only. Gives its path in the run's folder.
 */
export async function writeTranscript(
  call: PlatformCall,
  { name, model, systemPrompt, skills, tools, mcp }: AgentCall,
  entries: readonly TranscriptEntry[],
  outcome: { readonly output: Json } | { readonly error: Json },
): Promise<string> {
  const folder = `execution/call-${call.operation}`;
  const place = join(call.runDir, folder);
  await mkdir(place, { recursive: true, mode: 0o700 });
  // A link that somebody laid there must not lead the host elsewhere.
  if ((await realpath(place)) !== join(await realpath(call.runDir), folder)) {
    throw new LabError(
      'platform-failed',
      `${place} leads out of the run's folder, so no transcript can be written there`,
    );
  }
  const about = {
    agent: name,
    provider: 'fixture',
    model,
    attempt: call.attempt,
    systemPrompt,
    skills,
    tools: tools.map((tool) => tool.name),
    mcp,
  };
  const draft = join(place, `.transcript-${randomUUID()}`);
  try {
    await writeFile(draft, `${JSON.stringify({ ...about, entries, ...outcome }, null, 2)}\n`, {
      mode: 0o600,
      flag: 'wx',
    });
    await rename(draft, join(place, 'transcript.json'));
  } finally {
    await rm(draft, { force: true });
  }
  return `${folder}/transcript.json`;
}
