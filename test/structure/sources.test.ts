// One suite, so that all sources are parsed once.
import './sources/bundles.ts';
import './sources/casts.ts';
import './sources/commands.ts';
import './sources/effects.ts';
import './sources/exports.ts';
import './sources/files.ts';
import './sources/imports.ts';
import './sources/irreversible.ts';
import './sources/phases.ts';
