import type { Settings } from '../../runtime/contract/index.ts';
import { Choice } from '../design/field.tsx';

interface RecoveryChoiceProps {
  readonly label: string;
  readonly value: Settings['recovery'];
  readonly onChange: (value: Settings['recovery']) => void;
}

/** Whether a run whose process vanished waits for a person. */
export function RecoveryChoice(props: RecoveryChoiceProps) {
  return (
    <Choice
      {...props}
      options={[
        { value: 'off', title: 'By hand', hint: 'An interrupted run waits until you press Recover.' },
        {
          value: 'immediate',
          title: 'At once',
          hint: 'The next attempt starts by itself, as long as the budget lasts.',
        },
      ]}
    />
  );
}
