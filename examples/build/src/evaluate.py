import os

import torch.distributed as dist

dist.init_process_group("gloo")
print(f"process {os.environ['RANK']} of {dist.get_world_size()}")
dist.destroy_process_group()
