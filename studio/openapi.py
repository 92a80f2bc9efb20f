"""Write the studio's OpenAPI to stdout: `npm run types` makes `src/api/schema.ts` from it."""

import json

from ruse.studio.app import create_app

print(json.dumps(create_app().openapi(), indent=1, sort_keys=True))
