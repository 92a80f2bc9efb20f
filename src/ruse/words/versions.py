"""Which version of a package this is, for what is written beside results."""

from importlib import metadata


def version_of(package: str) -> str:
    """Its version, or "unknown" where it runs from its sources alone: nobody loses what is being saved for that."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "unknown"
