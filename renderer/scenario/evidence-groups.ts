import type { ScenarioProgress } from '../../runtime/contract/index.ts';

export type Piece = ScenarioProgress['evidence'][number];

export interface EvidenceGroup {
  /** What the pieces were looked at after, such as `killed`; empty for a piece that names nothing. */
  readonly title: string;
  readonly pieces: readonly (Piece & { readonly short: string })[];
}

/** Pieces of evidence under what their names have in common (`killed: states`), in their order. */
export function evidenceGroups(evidence: readonly Piece[]): readonly EvidenceGroup[] {
  const groups: { title: string; pieces: (Piece & { short: string })[] }[] = [];
  for (const piece of evidence) {
    const [, title = '', short = piece.name] = /^([^:]+): (.+)$/.exec(piece.name) ?? [];
    const last = groups.at(-1);
    if (last?.title === title) last.pieces.push({ ...piece, short });
    else groups.push({ title, pieces: [{ ...piece, short }] });
  }
  return groups;
}
