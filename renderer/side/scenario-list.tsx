import { ListVideo, Play, Square } from 'lucide-react';
import { giveCommand } from '../commands/commands.ts';
import { useEnabled } from '../commands/command-button.tsx';
import { cancelScenario, playScenario } from '../commands/play-scenario.ts';
import { isUnderWay, ScenarioSign } from '../scenario/scenario-mark.tsx';
import { useLab } from '../store/lab-store.ts';
import { go, useView } from '../store/view-store.ts';
import { Row, RowButton, Section } from './section.tsx';

export function ScenarioList() {
  const scenarios = useLab(({ scenarios }) => scenarios);
  const canPlay = useEnabled('play-all');
  return (
    <Section
      title="Scenarios"
      count={scenarios.length}
      tools={
        <RowButton label="Play all scenarios" isDisabled={!canPlay} onPress={() => giveCommand('play-all')}>
          <ListVideo size={14} aria-hidden="true" />
        </RowButton>
      }
    >
      <ul className="px-1">
        {scenarios.map(({ name, title }) => (
          <li key={name}>
            <ScenarioRow name={name} title={title} canPlay={canPlay} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function ScenarioRow({
  name,
  title,
  canPlay,
}: {
  readonly name: string;
  readonly title: string;
  readonly canPlay: boolean;
}) {
  const state = useLab(({ progress }) => progress[name]?.state ?? 'not played');
  const isCurrent = useView(({ place }) => place.kind === 'scenario' && place.name === name);
  return (
    <Row
      isCurrent={isCurrent}
      title={title}
      onOpen={() => go({ kind: 'scenario', name })}
      tools={
        isUnderWay(state) ? (
          <RowButton label={`Cancel ${name}`} isDisabled={!canPlay} onPress={() => void cancelScenario(name)}>
            <Square size={11} aria-hidden="true" />
          </RowButton>
        ) : (
          <RowButton
            label={`Play ${name}`}
            isDisabled={!canPlay}
            onPress={() => {
              go({ kind: 'scenario', name });
              void playScenario(name);
            }}
          >
            <Play size={12} aria-hidden="true" />
          </RowButton>
        )
      }
    >
      <ScenarioSign state={state} />
      <span className="truncate">{name}</span>
    </Row>
  );
}
