"""Models of vendors, by way of the model library. Only what asks them imports it."""

from host.providers.models.catalogue import VENDORS, Vendor, split_name
from host.providers.models.choice import RealModel
from host.providers.models.of_run import RunModels

__all__ = ["VENDORS", "RealModel", "RunModels", "Vendor", "split_name"]
