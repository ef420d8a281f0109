/* Apart from launch.cjs because `import()` is a syntax error on the old Nodes that launch.cjs must still turn away. */
'use strict';
import('./commands.mjs').then((commands) => commands.run(process.argv.slice(2)));
