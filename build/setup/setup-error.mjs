/** A failure that the person at the keyboard can act on; shown as its sentence, without a stack. */
export class SetupError extends Error {
  name = 'SetupError';
}

const causes = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|network/i,
    'the package registry could not be reached. Connect to the network, or set the registry that this network allows ' +
      '(npm config set registry URL)',
  ],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY)|CERT_|DEPTH_ZERO/,
    "the registry's certificate is not trusted here. Point npm at your network's certificates (npm config set cafile FILE)",
  ],
  [/E401|E403|ENEEDAUTH/, 'the registry refused access. Log in to it, or use one that needs no login'],
  [/E404|ETARGET/, 'the registry does not have a package that package-lock.json names (see above)'],
  [/EUSAGE|in sync/, 'package.json and package-lock.json do not agree. Run npm install and keep the changed lock file'],
  [/ENOSPC/, 'the disk is full'],
  [/EACCES|EPERM|EROFS/, 'a file in this folder cannot be written. Check who owns it'],
];

/** One sentence for why npm failed, with what to do next. */
export function explainInstallFailure(output) {
  const cause = causes.find(([sign]) => sign.test(output))?.[1] ?? "see npm's own message above";
  return `The dependencies could not be installed: ${cause}; then run this again.`;
}
