"""Which version of a package this is, for what is written beside results."""

from importlib import metadata


def version_of(package: str) -> str:
    """Its version, or "unknown" where it runs from its sources alone, or beside what is left of an installation, whose
    metadata tell none: nobody loses what is being saved for that.
    """
    try:
        return metadata.version(package) or "unknown"
    except (metadata.PackageNotFoundError, KeyError, OSError):  # the last two by later versions of Python
        return "unknown"
