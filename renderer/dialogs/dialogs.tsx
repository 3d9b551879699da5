import { CommandPalette } from '../palette/command-palette.tsx';
import { useView } from '../store/view-store.ts';
import { RemoveSecretDialog } from '../vault/remove-secret-dialog.tsx';
import { SetSecretDialog } from '../vault/set-secret-dialog.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { DoctorDialog } from './doctor-dialog.tsx';
import { ForkDialog } from './fork-dialog.tsx';
import { NewRunDialog } from './new-run-dialog.tsx';
import { OpenRelayDialog } from './open-relay-dialog.tsx';
import { PermissionsDialog } from './permissions-dialog.tsx';
import { ReconcileDialog } from './reconcile-dialog.tsx';
import { SettingsDialog } from './settings-dialog.tsx';

/** The dialog that is open, if one is. */
export function Dialogs() {
  const dialog = useView(({ dialog }) => dialog);
  switch (dialog?.kind) {
    case undefined:
      return null;
    case 'new-run':
      return <NewRunDialog folder={dialog.folder} />;
    case 'open-relay':
      return <OpenRelayDialog />;
    case 'reconcile':
      return <ReconcileDialog run={dialog.run} operation={dialog.operation} />;
    case 'fork':
      return <ForkDialog run={dialog.run} operation={dialog.operation} />;
    case 'cancel':
      return <CancelDialog run={dialog.run} />;
    case 'permissions':
      return <PermissionsDialog />;
    case 'set-secret':
      return <SetSecretDialog name={dialog.name} />;
    case 'remove-secret':
      return <RemoveSecretDialog name={dialog.name} />;
    case 'settings':
      return <SettingsDialog />;
    case 'doctor':
      return <DoctorDialog />;
    case 'palette':
      return <CommandPalette />;
  }
}
