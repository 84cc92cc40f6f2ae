declare const __SIGNALBOX_VERSION__: string | undefined;

/** The package's version, put in by the build; `dev` when run from source. */
export const programVersion = typeof __SIGNALBOX_VERSION__ === 'string' ? __SIGNALBOX_VERSION__ : 'dev';
